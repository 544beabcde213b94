FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The optional packages bring a Node along; the image has its own.
RUN npm ci --omit=optional
COPY . .
RUN npm run build \
  && npm prune --omit=dev --omit=optional \
  && rm -rf src scripts/build scripts/lib nest-cli.json tsconfig.json tsconfig.build.json
# Node keeps apart what each user has compiled. The one that runs the gateway may read it, and not change it.
RUN install -d -o node node_modules/.cache \
  && su node -c 'node dist/compile-ahead.js' \
  && chown -R root:root node_modules/.cache \
  && chmod -R go+rX node_modules/.cache

# A browser for gateways on other machines (`--target browser`); see compose.cluster.yaml.
FROM debian:bookworm-slim AS browser
RUN apt-get update \
  && apt-get install -y --no-install-recommends chromium-headless-shell fonts-liberation socat tini \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --uid 1000 --create-home browser
COPY deploy/browser.sh /usr/local/bin/browser
USER browser
EXPOSE 9222
ENTRYPOINT ["tini", "-g", "--", "browser"]
CMD ["--block-new-web-contents"]

FROM node:24-bookworm-slim AS gateway
# tini ends what a browser leaves behind; without any font a screenshot cannot be read.
RUN apt-get update \
  && apt-get install -y --no-install-recommends chromium-headless-shell fonts-liberation tini \
  && rm -rf /var/lib/apt/lists/* \
  && install -d -o node -g node -m 0700 /data
COPY --from=build /app /app

# HOST reaches beyond the container, so the gateway starts with an API_KEY only. What stands here cannot be changed on the
# page Settings: the port is published from outside, and the health check reads both here.
# NODE_OPTIONS and MALLOC_ARENA_MAX are those of `npm start` (scripts/lib/process-environment.mjs).
ENV NODE_ENV=production \
  NODE_OPTIONS=--max-semi-space-size=16 \
  MALLOC_ARENA_MAX=2 \
  HOST=0.0.0.0 \
  PORT=26405 \
  DATA_DIR=/data \
  BROWSER_EXECUTABLE_PATH=/usr/lib/chromium/chromium-headless-shell

USER node
# config.json and .env are looked up in the volume.
WORKDIR /data
VOLUME /data
EXPOSE 26405
HEALTHCHECK --interval=30s --timeout=10s --start-period=30s \
  CMD ["node", "/app/scripts/healthcheck.mjs"]
ENTRYPOINT ["tini", "--"]
CMD ["node", "--disable-warning=ExperimentalWarning", "/app/dist/main.js"]
