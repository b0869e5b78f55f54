# The tool as npm packs it: npm run package, or npm pack --pack-destination packages, comes first.
FROM node:24-slim
COPY packages/payroll-cli-*.tgz /tmp/
# Unpacked, and not installed: npm would add a database, which this Node has, and a keyring, which a container has not.
RUN mkdir /opt/payroll && tar --extract --no-same-owner --strip-components=1 --directory=/opt/payroll --file /tmp/payroll-cli-*.tgz \
  && rm /tmp/payroll-cli-*.tgz && chmod --recursive a+rX /opt/payroll \
  && ln --symbolic /opt/payroll/bin/payroll.js /usr/local/bin/payroll && mkdir --mode=700 /state && chown node:node /state
ENV PAYROLL_CONFIG_DIR=/state
VOLUME /state
USER node
WORKDIR /home/node
ENTRYPOINT ["payroll"]
CMD ["--help"]
