import { isSafeForSecrets } from '../fleet/network.ts';

/** What somebody wrote, as it is used from here on; or what is wrong with it. */
export type CheckedAddress = { value: string; wrong?: never } | { value?: never; wrong: string };

/** An address that credentials may travel to. Never quotes what it refuses: a password may stand in it. */
function checkedAddress(text: string): CheckedAddress {
	if (!URL.canParse(text)) return { wrong: 'must be a whole address, such as https://example.com' };
	const url = new URL(text);
	if (url.username !== '' || url.password !== '') {
		return { wrong: 'must not have a user name or a password in it' };
	}
	if (!isSafeForSecrets(url)) {
		return { wrong: 'must start with https://: only this machine itself is talked to without' };
	}
	if (url.search !== '' || url.hash !== '') return { wrong: 'must end before any ? or #' };
	return { value: url.href.replace(/\/+$/, '') };
}

export function checkedBaseAddress(text: string): CheckedAddress {
	const checked = checkedAddress(text);
	if (checked.value === undefined || checked.value.endsWith('/v1')) return checked;
	return { wrong: 'must end in /v1' };
}

/** The identity provider's address, also from the address of its token endpoint. */
export function checkedAuthAddress(text: string): CheckedAddress {
	return checkedAddress(text.replace(/\/auth\/v1(\/token)?\/*(\?.*)?$/, ''));
}
