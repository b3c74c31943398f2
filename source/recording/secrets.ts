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
