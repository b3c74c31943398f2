/** The variables of a process, as Node has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The variables of this program that hold a password, a token or a key. They are recognised by their names, so that a
 * secret of a later version is withheld as well.
 */
const secretNamePattern = /^CROWSNEST_.*(PASSW|TOKEN|SECRET|KEY|CREDENTIAL)/i;

/** A secret that is shorter than this may occur in other variables by chance, so those are kept. */
const minSecretLength = 8;

/** Whether a variable holds a secret of this program. */
export const isSecretVariable = (name: string) => secretNamePattern.test(name);

/**
 * Returns the environment for a child process, so that the child cannot print or store a secret. Everything is
 * inherited except the secrets of this program, and variables that contain the value of such a secret, such as the
 * variable of a shell from which it was copied.
 */
export function withoutSecrets(environment: Environment): Environment {
	const secrets = Object.entries(environment)
		.filter(([name]) => isSecretVariable(name))
		.flatMap(([, value]) => (value && value.length >= minSecretLength ? [value] : []));
	return Object.fromEntries(
		Object.entries(environment).filter(
			([name, value]) =>
				value !== undefined &&
				!isSecretVariable(name) &&
				!secrets.some(secret => value.includes(secret)),
		),
	);
}
