#!/bin/sh
# Chromium's DevTools listen on loopback only, whatever address is asked for, so a forwarder listens beside it. They are
# full control of the browser: nobody but gateways may reach port 9222.
set -eu
socat TCP-LISTEN:9222,fork,reuseaddr,nodelay TCP:127.0.0.1:9223,nodelay &
# The last two keep pages from ways around the list of origins that the gateway sets.
exec /usr/lib/chromium/chromium-headless-shell \
  --remote-debugging-port=9223 \
  --user-data-dir=/tmp/profile \
  --no-first-run \
  --force-webrtc-ip-handling-policy=disable_non_proxied_udp \
  --block-new-web-contents
