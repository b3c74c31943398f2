import type { ReplaceText } from '../foundation/schema.ts';

/** What is nothing but a secret is left out. */
export function createSecretFilter(): ReplaceText {
	const secrets = new Set<string>();
	const ids = new Set<string>();
	const isId = (word: string) => ids.has(word) || word.startsWith('sb_');
	const safe = (text: string) => withoutSecrets(text, secrets, isId);
	return (text, kind) => {
		if (kind === 'id') ids.add(text);
		if (kind === 'secret') secrets.add(text);
		if (kind === 'id' || kind === 'word') return text;
		const isLeftOut = kind === 'secret' || (kind === 'publicAddress' && safe(text) !== text);
		return isLeftOut ? undefined : safe(text);
	};
}

const linkPattern = /\bhttps?:\/\/[^\s"'<>]+/gi;
const labelledSecretPattern =
	/((?:token|secret|password|passwd|pwd|key|session|authorization|cookie|signature)["']?\s*[:=]\s*["']?)(?:(?:bearer|basic)\s+)?[^\s"',;&]+/gi;
const authorizationPattern = /\b(bearer|basic)\s+(?=\S*\d)[\w.~+/=-]{8,}/gi;
const webTokenPattern = /\beyJ[\w-]{4,}(?:\.[\w-]*)*/g;
const prefixedKeyPattern = /\b(?:sk|pk|rk|cs|whsec|gh[opsu]|pat|xox[abps])[_-][\w-]{6,}/g;
const longWordPattern = /[A-Za-z0-9_-]{20,}/g;

const removalMark = '…';

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

// Names that people choose have hyphens between short words.
function looksRandom(word: string): boolean {
	const isMixed = (part: string) => /\d/.test(part) && /[a-z]/i.test(part);
	if (word.split(/[-_]/).some(part => part.length >= 20 && isMixed(part))) return true;
	return word.length >= 24 && /\d/.test(word) && /[a-z]/.test(word) && /[A-Z]/.test(word);
}
