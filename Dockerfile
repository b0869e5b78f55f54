# The tool as npm packs it: npm run package, or npm pack --pack-destination packages, comes first.
FROM node:24-slim
COPY packages/payroll-cli-*.tgz /tmp/
# Without optional packages: this Node has SQLite, and a container has no keyring.
RUN npm install --global --omit=optional --no-audit --no-fund /tmp/payroll-cli-*.tgz && rm /tmp/payroll-cli-*.tgz \
  && mkdir --mode=700 /state && chown node:node /state
ENV PAYROLL_CONFIG_DIR=/state
VOLUME /state
USER node
WORKDIR /home/node
ENTRYPOINT ["payroll"]
CMD ["--help"]
