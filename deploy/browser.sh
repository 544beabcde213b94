#!/bin/sh
# Chromium's DevTools listen on loopback only, whatever address is asked for, so a forwarder listens beside it. They are
# full control of the browser: nobody but gateways may reach port 9222.
set -eu
socat TCP-LISTEN:9222,fork,reuseaddr,nodelay TCP:127.0.0.1:9223,nodelay &
# WebRTC would be a way around the list of origins that the gateway sets; so would windows that pages open, for which there is
# --block-new-web-contents among the arguments, unless a recipe keeps windows.
exec /usr/lib/chromium/chromium-headless-shell \
  --remote-debugging-port=9223 \
  --user-data-dir=/tmp/profile \
  --no-first-run \
  --force-webrtc-ip-handling-policy=disable_non_proxied_udp \
  "$@"
