// biome-ignore lint/style/noDefaultExport: the package has one
export default () => ({ columns: 80, rows: 24 });
