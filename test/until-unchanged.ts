/** Resources on which other threads or processes work, for which turning the event loop does not wait. */
const externalWork = /Req|ConnectWrap|ProcessWrap|WriteWrap|ShutdownWrap/;

/** The longest request on loopback needs a fraction of this many turns. */
const requiredTurns = 20;

/**
 * Waits until the observed value stays the same for some turns of the event loop while no other thread or
 * process is at work. Client and server share this process, so any request has ended by then.
 */
export async function untilUnchanged(observe: () => unknown): Promise<void> {
	let previous = JSON.stringify(observe());
	for (let unchangedTurns = 0; unchangedTurns < requiredTurns; unchangedTurns += 1) {
		await new Promise(setImmediate);
		const current = JSON.stringify(observe());
		const hasExternalWork = process.getActiveResourcesInfo().some(name => externalWork.test(name));
		// Sleep while another thread works: turning the loop would only take its processor time.
		if (hasExternalWork) await new Promise(resolve => setTimeout(resolve, 1));
		if (current === previous && !hasExternalWork) continue;
		previous = current;
		unchangedTurns = 0;
	}
}
