/** The version in package.json, put in when the program is built. */
declare const __VERSION__: string;

/** Says which of the programs in the built file this program is. See `source/cli/program-commands.ts`. */
declare const __PROGRAM__: 'quick' | 'reading' | 'whole';

/** Starts the next larger program in this process. The whole program lacks this function. */
declare const startNextProgram: () => void;
