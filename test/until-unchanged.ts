/** Work that other threads and processes do for this one, which no turn of the event loop waits for. */
const elsewhere = /Req|ConnectWrap|ProcessWrap|WriteWrap|ShutdownWrap/;

/** A request on loopback goes on with every turn; this is several times what the longest needs. */
const turns = 20;

/**
 * Waits until nothing goes on by itself: client and server share this process, so what neither the disk
 * nor another process works on, and what does not change for some turns, waits for time or for a person.
 */
export async function untilUnchanged(look: () => unknown): Promise<void> {
	let before = JSON.stringify(look());
	for (let still = 0; still < turns; still += 1) {
		await new Promise(setImmediate);
		const now = JSON.stringify(look());
		const isElsewhere = process.getActiveResourcesInfo().some(name => elsewhere.test(name));
		// Until the disk has answered, turning the loop only takes the core from whoever else needs it.
		if (isElsewhere) await new Promise(resolve => setTimeout(resolve, 1));
		if (now === before && !isElsewhere) continue;
		before = now;
		still = 0;
	}
}
