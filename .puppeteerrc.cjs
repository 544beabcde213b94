// The set-up step finds or installs a browser (scripts/browser.mjs); installing packages never downloads one.
module.exports = { skipDownload: true };
