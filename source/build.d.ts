/** The version in package.json, put in when the program is built. */
declare const __VERSION__: string;

/** Whether this build has only the commands that start quickly: `status`, and a `list` that a running monitor prints. */
declare const __IS_QUICK__: boolean;

/** Starts the build with all commands, in this process. Only the quick build has this function. */
declare const startWholeProgram: () => void;
