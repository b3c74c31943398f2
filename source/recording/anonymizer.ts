/**
 * Removes secrets from a recording and, if `areNamesReplaced` is set, also replaces everything that identifies
 * a person or a computer.
 */
export type Anonymizer = {
	replaceId(id: string): string;
	replaceName(name: string): string;
	replaceAccount(label: string): string;
	replaceEmail(email: string): string;
	/** Replaces an internal address of the platform, such as 10.0.0.7, with an invented one. */
	replaceAddress(address: string): string;
	/** Replaces a public address. Returns undefined if knowing the address is enough to get access. */
	replacePublicAddress(url: string): string | undefined;
	/** Removes secrets from a text of the platform or of an error, and replaces words that identify someone. */
	cleanText(text: string): string;
	/** Registers a secret, which is removed from everything that follows. */
	addSecret(secret: string): void;
};

/** Maps each original to its replacement. The same original always gets the same replacement. */
type Replacements = {
	replacementFor(original: string): string;
	replacementByOriginal: ReadonlyMap<string, string>;
};

const identifyingPatterns = {
	link: /\bhttps?:\/\/[^\s"'<>]+/,
	email: /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/,
	id: /(?<![\w-])sb_[\w-]+/,
	numeric:
		/\b\d{1,3}(?:\.\d{1,3}){3}\b|(?<![\w:])(?:[0-9A-Fa-f]{1,4}:){3,7}[0-9A-Fa-f]{1,4}(?![\w:])|(?<![\w:])[0-9A-Fa-f:]*::[0-9A-Fa-f:]*(?![\w:])/,
	host: /(?<![\w@.-])(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}(?![\w-])/,
};

export function createAnonymizer({ areNamesReplaced }: { areNamesReplaced: boolean }): Anonymizer {
	const secrets = new Set<string>();
	const idsSeen = new Set<string>();
	const ids = createReplacements(number => `sb_${number}`);
	const names = createReplacements(number => `computer-${number}`);
	const accounts = createReplacements(number => `account-${number}`);
	const people = createReplacements(number => `person-${number}@example.com`);
	const addresses = createReplacements(number => `address-${number}`);
	const publicAddresses = createReplacements(number => `https://port-${number}.example`);
	const hosts = createReplacements(number => `host-${number}`);

	const isId = (word: string) => idsSeen.has(word) || word.startsWith('sb_');
	const safe = (text: string) => withoutSecrets(text, secrets, isId);
	const replaced = ({ replacementFor }: Replacements) =>
		areNamesReplaced ? replacementFor : (original: string) => original;

	// The text is replaced in a single pass, so that replacements are not replaced again.
	function anonymizedText(text: string): string {
		const known = new Map(
			[accounts, addresses, names, ids]
				.flatMap(each => [...each.replacementByOriginal])
				.filter(([original]) => original !== '' && text.includes(original)),
		);
		return text.replace(patternForOriginals(known), (found, ...more) => {
			const groups: Readonly<Record<string, string | undefined>> = more.at(-1);
			if (groups['link']) return publicAddresses.replacementFor(found);
			if (groups['email']) return people.replacementFor(found);
			const made = known.get(found);
			if (made !== undefined) return made;
			if (groups['id']) return ids.replacementFor(found);
			return groups['numeric'] ? addresses.replacementFor(found) : hosts.replacementFor(found);
		});
	}

	return {
		replaceId(id) {
			idsSeen.add(id);
			return replaced(ids)(id);
		},
		replaceName: replaced(names),
		replaceAccount: replaced(accounts),
		replaceEmail: replaced(people),
		replaceAddress: replaced(addresses),
		replacePublicAddress(url) {
			if (safe(url) !== url) return undefined;
			return replaced(publicAddresses)(url);
		},
		cleanText: text => (areNamesReplaced ? anonymizedText(safe(text)) : safe(text)),
		addSecret: secret => secrets.add(secret),
	};
}

function createReplacements(createReplacement: (number: number) => string): Replacements {
	const known = new Map<string, string>();
	return {
		replacementByOriginal: known,
		replacementFor(original) {
			const made = known.get(original) ?? createReplacement(known.size + 1);
			known.set(original, made);
			return made;
		},
	};
}

/**
 * Builds a pattern that finds the originals as whole words, the longest first, so that `atlas` is not found
 * within `atlas-2`.
 */
function patternForOriginals(replacementByOriginal: ReadonlyMap<string, string>): RegExp {
	const originals = [...replacementByOriginal.keys()]
		.sort((one, other) => other.length - one.length)
		.map(original => original.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
	const { link, email, id, numeric, host } = identifyingPatterns;
	const alternatives = [
		`(?<link>${link.source})`,
		`(?<email>${email.source})`,
		...(originals.length > 0
			? [`(?<![\\p{L}\\p{N}_-])(?:${originals.join('|')})(?![\\p{L}\\p{N}_-])`]
			: []),
		`(?<id>${id.source})`,
		`(?<numeric>${numeric.source})`,
		`(?<host>${host.source})`,
	];
	return new RegExp(alternatives.join('|'), 'gu');
}

const linkPattern = /\bhttps?:\/\/[^\s"'<>]+/gi;
const labelledSecretPattern =
	/((?:token|secret|password|passwd|pwd|key|session|authorization|cookie|signature)["']?\s*[:=]\s*["']?)(?:(?:bearer|basic)\s+)?[^\s"',;&]+/gi;
const authorizationPattern = /\b(bearer|basic)\s+(?=\S*\d)[\w.~+/=-]{8,}/gi;
const webTokenPattern = /\beyJ[\w-]{4,}(?:\.[\w-]*)*/g;
const prefixedKeyPattern = /\b(?:sk|pk|rk|cs|whsec|gh[opsu]|pat|xox[abps])[_-][\w-]{6,}/g;
const longWordPattern = /[A-Za-z0-9_-]{20,}/g;

/** The text that stands in place of a removed secret. */
const removalMark = '…';

/** Removes everything that gives access from a text: tokens, keys, and the secret parts of addresses. */
function withoutSecrets(
	text: string,
	knownSecrets: Iterable<string>,
	isId: (word: string) => boolean,
): string {
	let rest = text.replace(linkPattern, withoutCredentials);
	for (const secret of knownSecrets) rest = rest.replaceAll(secret, removalMark);
	return rest
		.replace(labelledSecretPattern, `$1${removalMark}`)
		.replace(authorizationPattern, `$1 ${removalMark}`)
		.replace(webTokenPattern, removalMark)
		.replace(prefixedKeyPattern, removalMark)
		.replace(longWordPattern, word => (looksRandom(word) && !isId(word) ? removalMark : word));
}

// Queries may contain sessions and signatures, and the path of a share address gives access to the share.
function withoutCredentials(link: string): string {
	return link
		.replace(/^(https?:\/\/)[^/?#]*@/i, '$1')
		.replace(/[?#].*$/, '')
		.replace(/(\/share\/)[^/]+/, `$1${removalMark}`);
}

// A long word that mixes letters and digits is assumed to be random, and so a secret. Names that people choose,
// such as those of images, contain hyphens between short words.
function looksRandom(word: string): boolean {
	const isMixed = (part: string) => /\d/.test(part) && /[a-z]/i.test(part);
	if (word.split(/[-_]/).some(part => part.length >= 20 && isMixed(part))) return true;
	return word.length >= 24 && /\d/.test(word) && /[a-z]/.test(word) && /[A-Z]/.test(word);
}
