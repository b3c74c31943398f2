import { userInfo } from 'node:os';

/** Whether a file with this owner belongs to another user. False where there is no way to know. */
export function isOwnedByAnother(uid: number): boolean {
	const own = ownUid();
	return own >= 0 && uid !== own;
}

// A container may run under a number that has no entry among the users; Windows has no numbers.
function ownUid(): number {
	try {
		return userInfo().uid;
	} catch {
		return -1;
	}
}
