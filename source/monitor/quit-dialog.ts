import type { StoreApi } from 'zustand/vanilla';
import type { Clock } from '../fleet/clock.ts';
import type { Screen } from '../screen/screen.ts';
import type { AccountSession } from '../session/session.ts';

type QuitDialogDeps = {
	screens: StoreApi<Screen>;
	session: Pick<AccountSession, 'store' | 'operations'>;
	clock: Clock;
};

const allFinishedText = 'Everything has finished: q quits.';

/** Closes the quit dialog when nothing is left that it could say. */
export function closeQuitDialog({ screens, session, clock }: QuitDialogDeps): () => void {
	const { store, operations } = session;

	function look() {
		if (screens.getState().confirmation?.about !== 'leave') return;
		const { safe, unknown, dropped } = operations.leaving();
		if (safe.length + unknown.length + dropped.length > 0) return;
		screens.setState({
			confirmation: undefined,
			notice: { text: allFinishedText, at: clock.now() },
		});
	}

	const endings = [operations.subscribe(look), store.subscribe(look)];
	return () => {
		for (const end of endings) end();
	};
}
