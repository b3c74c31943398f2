/** The version in package.json, put in when the program is built. */
declare const __VERSION__: string;

/** The only command that this build of the program has, because it must start quickly; empty for all commands. */
declare const __ONLY_COMMAND__: '' | 'status';
