// Fails, and says why, where node is older than the tools of package.json need. Plain JavaScript for any node.

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`node ${process.versions.node} is too old: 20.19 is needed`);
  process.exitCode = 1;
}
