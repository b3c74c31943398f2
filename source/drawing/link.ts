// What an address may be made of; anything else could end the sequence, or is no web address.
const address = /^https?:\/\/[\x21-\x7e]+$/;

/** The text as a link that terminals open. They join the parts of one link by their common id. */
export function linked(text: string, url: string): string {
	if (!address.test(url)) return text;
	return `\x1b]8;id=${idOf(url)};${url}\x1b\\${text}\x1b]8;;\x1b\\`;
}

function idOf(url: string): string {
	let hash = 0;
	for (let at = 0; at < url.length; at += 1) hash = (hash * 31 + url.charCodeAt(at)) >>> 0;
	return hash.toString(36);
}
