/** What is written of something that tells who or where it is. Secrets are out in any case. */
export type Anonymizer = {
	id(id: string): string;
	name(name: string): string;
	account(label: string): string;
	person(email: string): string;
	/** Inside the platform's network. */
	address(address: string): string;
	/** Undefined when whoever knows it is let in by that. */
	publicAddress(url: string): string | undefined;
	/** Words of the platform, or of an error: anything may stand in them. */
	text(text: string): string;
	/** Is never written, wherever else it turns up. */
	secret(secret: string): void;
};

/** The same stand-in for the same original, from the first fact to the last. */
type StandIns = { of(original: string): string; known: ReadonlyMap<string, string> };

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
	const ids = createStandIns(number => `sb_${number}`);
	const names = createStandIns(number => `computer-${number}`);
	const accounts = createStandIns(number => `account-${number}`);
	const people = createStandIns(number => `person-${number}@example.com`);
	const addresses = createStandIns(number => `address-${number}`);
	const publicAddresses = createStandIns(number => `https://port-${number}.example`);
	const hosts = createStandIns(number => `host-${number}`);

	const isId = (word: string) => idsSeen.has(word) || word.startsWith('sb_');
	const safe = (text: string) => withoutSecrets(text, secrets, isId);
	const standIn = ({ of }: StandIns) => (areNamesReplaced ? of : (original: string) => original);

	// In one pass, so that no stand-in is taken for an original.
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
			return standIn(ids)(id);
		},
		name: standIn(names),
		account: standIn(accounts),
		person: standIn(people),
		address: standIn(addresses),
		publicAddress(url) {
			if (safe(url) !== url) return undefined;
			return standIn(publicAddresses)(url);
		},
		text: text => (areNamesReplaced ? anonymizedText(safe(text)) : safe(text)),
		secret: secret => secrets.add(secret),
	};
}

function createStandIns(make: (number: number) => string): StandIns {
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

/** What is known stands there as a whole word, and the longest goes first: `atlas-2` is not `atlas`. */
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

/** What stands in the place of what was taken out. */
const gap = '…';

/** The text without what lets in whoever has it: tokens, keys, and what addresses carry of them. */
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

// Sessions and signatures stand behind a question mark, and whoever knows a share's path can open it.
function withoutCredentials(link: string): string {
	return link
		.replace(/^(https?:\/\/)[^/?#]*@/i, '$1')
		.replace(/[?#].*$/, '')
		.replace(/(\/share\/)[^/]+/, `$1${gap}`);
}

// Nobody calls anything so; hyphens part what people write, as in a version's or an image's name.
function isRandom(word: string): boolean {
	const isMixed = (part: string) => /\d/.test(part) && /[a-z]/i.test(part);
	if (word.split(/[-_]/).some(part => part.length >= 20 && isMixed(part))) return true;
	return word.length >= 24 && /\d/.test(word) && /[a-z]/.test(word) && /[A-Z]/.test(word);
}
