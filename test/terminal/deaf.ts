import { setTimeout as sleep } from 'node:timers/promises';
import type { Session } from './session.ts';

/** Presses a key until a dialog accepts the key, because dialogs ignore keys for a moment after they open. */
export async function pressUntilAccepted(session: Session, key: string, isTaken: () => boolean) {
	await session.until(`an effect of ${JSON.stringify(key)}`, async () => {
		await session.press(key);
		if (isTaken()) return true;
		await sleep(20);
		return false;
	});
}

/** Types into a password dialog until the dialog accepts keys, and erases the typed text. */
export async function untilDialogAcceptsKeys(session: Session) {
	await pressUntilAccepted(session, 'x', () => session.text().includes('•'));
	await session.press('\x15');
}
