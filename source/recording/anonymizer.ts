/**
 * Removes secrets from a recording and, if `areNamesReplaced` is set, also replaces everything that identifies
 * a person or a computer.
 */
export type Anonymizer = {
	id(id: string): string;
	name(name: string): string;
	account(label: string): string;
	person(email: string): string;
	/** Replaces an address within the platform's network. */
	address(address: string): string;
	/** Replaces a public address. Returns undefined if knowing the address is enough to get access. */
	publicAddress(url: string): string | undefined;
	/** Replaces identifying words within a text of the platform or of an error, which may contain anything. */
	text(text: string): string;
	/** Registers a secret, which is removed from everything that follows. */
	secret(secret: string): void;
};

/** Maps each original to its replacement. The same original always gets the same replacement. */
type Replacements = { of(original: string): string; known: ReadonlyMap<string, string> };

const patterns = {
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
	const replaced = ({ of }: Replacements) =>
		areNamesReplaced ? of : (original: string) => original;

	// Replaces everything in one pass, so that replacements are not replaced again.
	function anonymizedText(text: string): string {
		const known = new Map(
			[accounts, addresses, names, ids]
				.flatMap(each => [...each.known])
				.filter(([original]) => original !== '' && text.includes(original)),
		);
		return text.replace(anyOf(known), (found, ...more) => {
			const groups: Readonly<Record<string, string | undefined>> = more.at(-1);
			if (groups['link']) return publicAddresses.of(found);
			if (groups['email']) return people.of(found);
			const made = known.get(found);
			if (made !== undefined) return made;
			if (groups['id']) return ids.of(found);
			return groups['numeric'] ? addresses.of(found) : hosts.of(found);
		});
	}

	return {
		id(id) {
			idsSeen.add(id);
			return replaced(ids)(id);
		},
		name: replaced(names),
		account: replaced(accounts),
		person: replaced(people),
		address: replaced(addresses),
		publicAddress(url) {
			if (safe(url) !== url) return undefined;
			return replaced(publicAddresses)(url);
		},
		text: text => (areNamesReplaced ? anonymizedText(safe(text)) : safe(text)),
		secret: secret => secrets.add(secret),
	};
}

function createReplacements(make: (number: number) => string): Replacements {
	const known = new Map<string, string>();
	return {
		known,
		of(original) {
			const made = known.get(original) ?? make(known.size + 1);
			known.set(original, made);
			return made;
		},
	};
}

/**
 * Builds a pattern that finds the originals as whole words, the longest first, so that `atlas` is not found
 * within `atlas-2`.
 */
function anyOf(known: ReadonlyMap<string, string>): RegExp {
	const originals = [...known.keys()]
		.sort((one, other) => other.length - one.length)
		.map(original => original.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
	const { link, email, id, numeric, host } = patterns;
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

const links = /\bhttps?:\/\/[^\s"'<>]+/gi;
const named =
	/((?:token|secret|password|passwd|pwd|key|session|authorization|cookie|signature)["']?\s*[:=]\s*["']?)(?:(?:bearer|basic)\s+)?[^\s"',;&]+/gi;
const spoken = /\b(bearer|basic)\s+(?=\S*\d)[\w.~+/=-]{8,}/gi;
const signed = /\beyJ[\w-]{4,}(?:\.[\w-]*)*/g;
const prefixed = /\b(?:sk|pk|rk|cs|whsec|gh[opsu]|pat|xox[abps])[_-][\w-]{6,}/g;
const words = /[A-Za-z0-9_-]{20,}/g;

/** Stands in place of removed text. */
const gap = '…';

/** Removes everything that gives access from a text: tokens, keys, and the secret parts of addresses. */
export function withoutSecrets(
	text: string,
	known: Iterable<string>,
	isId: (word: string) => boolean,
): string {
	let rest = text.replace(links, withoutCredentials);
	for (const secret of known) rest = rest.replaceAll(secret, gap);
	return rest
		.replace(named, `$1${gap}`)
		.replace(spoken, `$1 ${gap}`)
		.replace(signed, gap)
		.replace(prefixed, gap)
		.replace(words, word => (isRandom(word) && !isId(word) ? gap : word));
}

// Queries may contain sessions and signatures, and the path of a share address gives access to the share.
function withoutCredentials(link: string): string {
	return link
		.replace(/^(https?:\/\/)[^/?#]*@/i, '$1')
		.replace(/[?#].*$/, '')
		.replace(/(\/share\/)[^/]+/, `$1${gap}`);
}

// A long word that mixes letters and digits is assumed to be random, and so a secret. Names that people choose,
// such as those of images, contain hyphens between short words.
function isRandom(word: string): boolean {
	const isMixed = (part: string) => /\d/.test(part) && /[a-z]/i.test(part);
	if (word.split(/[-_]/).some(part => part.length >= 20 && isMixed(part))) return true;
	return word.length >= 24 && /\d/.test(word) && /[a-z]/.test(word) && /[A-Z]/.test(word);
}
