/** The version in package.json, put in when the program is built. */
declare const __VERSION__: string;

/** The pages docs/keys.md and docs/reference.md. */
declare const __KEYS__: string;
declare const __REFERENCE__: string;

/** The licence texts of all bundled software. */
declare const __NOTICES__: string;
