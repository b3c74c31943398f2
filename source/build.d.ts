/** The version in package.json, put in when the program is built. */
declare const __VERSION__: string;

/** The licence texts of all bundled software. */
declare const __NOTICES__: string;

/** Whether this is the quick program, which has only the commands in `source/cli/quick-names.ts`. */
declare const __IS_QUICK__: boolean;

/** The picture that the launcher has shown, or looked for in vain; undefined for commands without a screen. */
declare const keptPicture: import('./terminal/picture/kept-picture.ts').KeptPicture | undefined;

/** Makes room in memory for the objects that the next key creates, if there is little. It takes up to a millisecond. */
declare const makeRoomForKey: () => void;

/** Starts the whole program in this process. Only the quick program has this function. */
declare const startWholeProgram: () => void;
