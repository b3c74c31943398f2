/** The version in package.json, put in when the program is built. */
declare const __VERSION__: string;

/** The licence texts of all bundled software. */
declare const __NOTICES__: string;
