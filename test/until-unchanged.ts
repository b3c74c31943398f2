/** Node's names for the resources of work that other threads or processes do. */
const externalWork = /Req|ConnectWrap|ProcessWrap|WriteWrap|ShutdownWrap/;

/** A value counts as unchanged after this many turns. The longest request on loopback needs far fewer. */
const requiredTurns = 20;

/**
 * Waits until the observed value stays the same for some turns of the event loop while no other thread or
 * process is at work. Client and server run in this process, so every request has ended by then.
 */
export async function untilUnchanged(observe: () => unknown): Promise<void> {
	let previous = JSON.stringify(observe());
	for (let unchangedTurns = 0; unchangedTurns < requiredTurns; unchangedTurns += 1) {
		await new Promise(setImmediate);
		const current = JSON.stringify(observe());
		const hasExternalWork = process.getActiveResourcesInfo().some(name => externalWork.test(name));
		// Sleep while another thread works, because an idle loop would only take processor time from that thread.
		if (hasExternalWork) await new Promise(resolve => setTimeout(resolve, 1));
		if (current === previous && !hasExternalWork) continue;
		previous = current;
		unchangedTurns = 0;
	}
}
