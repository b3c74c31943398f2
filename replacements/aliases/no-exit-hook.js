/** Stands for `restore-cursor` and `signal-exit`. */
// biome-ignore lint/style/noDefaultExport: both packages have one
export default () => () => {};
