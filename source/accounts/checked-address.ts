import { isSafeForSecrets } from '../fleet/network.ts';

/** An address in its normalised form, or the reason why it is refused. */
export type CheckedAddress =
	| { value: string; problem?: never }
	| { value?: never; problem: string };

/**
 * Checks an address that credentials may be sent to. The reason never quotes the address, because it may
 * contain a password.
 */
function checkedAddress(text: string): CheckedAddress {
	if (!URL.canParse(text)) {
		return { problem: 'must be a complete address, such as https://example.com' };
	}
	const url = new URL(text);
	if (url.username !== '' || url.password !== '') {
		return { problem: 'must not contain a user name or a password' };
	}
	if (!isSafeForSecrets(url)) {
		return { problem: 'must start with https:// (http:// is allowed for this machine only)' };
	}
	if (url.search !== '' || url.hash !== '') return { problem: 'must not contain ? or #' };
	return { value: url.href.replace(/\/+$/, '') };
}

export function checkedBaseAddress(text: string): CheckedAddress {
	const checked = checkedAddress(text);
	if (checked.value === undefined || checked.value.endsWith('/v1')) return checked;
	return { problem: 'must end in /v1' };
}

/** Checks the address of the identity provider. The address of its token endpoint is accepted, too. */
export function checkedAuthAddress(text: string): CheckedAddress {
	return checkedAddress(text.replace(/\/auth\/v1(\/token)?\/*(\?.*)?$/, ''));
}
