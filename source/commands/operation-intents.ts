import type { StoreApi } from 'zustand/vanilla';
import type { Clock } from '../fleet/clock.ts';
import type { Intent } from '../keys/binding.ts';
import { placeOf } from '../keys/place.ts';
import type { Asked, Pressed } from '../operations/asked.ts';
import type { Operations } from '../operations/path.ts';
import type { QuestionInput } from '../operations/question.ts';
import { newcomerIn } from '../store/newcomer.ts';
import { cursorIndex, type Screen } from '../store/screen.ts';
import type { AccountState } from '../store/state.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { ShownRows } from '../views/shown.ts';

type Parts = {
	screens: StoreApi<Screen>;
	operations: Operations;
	known: () => AccountState;
	terminal: Pick<Terminal, 'copy' | 'end'>;
	clock: Clock;
	say: (notice: string) => void;
};

/** The keys that change something, or might. */
export function createOperationIntents(parts: Parts) {
	const { screens, operations, known, terminal, clock, say } = parts;
	const confirm = (about: 'unlock' | 'leave', askedWith: string) =>
		screens.setState({ confirmation: { about, openedAt: clock.now(), askedWith } });

	function tell(result: Asked | Pressed) {
		if (result.type === 'refused') say(refusalText(result.refusal));
		if (result.type === 'cancelled') say('nothing was done');
		if (result.type === 'begun') screens.setState({ marks: new Set() });
		if (result.type === 'copy') {
			const { command } = result.question;
			say(terminal.copy(command) ? `copied: ${command}` : 'this terminal has no clipboard for it');
		}
	}

	function leave(key: string) {
		const { safe, unknown, dropped } = operations.leaving();
		const isAsking = screens.getState().confirmation?.about === 'leave';
		if (safe.length + unknown.length + dropped.length > 0 && !isAsking) confirm('leave', key);
		else void terminal.end({ kind: 'quit' });
	}

	// Wherever one looks, the screen says that Esc keeps it.
	function cancelCountdowns() {
		const counting = operations
			.leaving()
			.dropped.filter(({ key }) => operations.waitingFor(key)?.for === 'grace');
		return counting.flatMap(({ key }) => operations.cancel({ key }));
	}

	return {
		leave,
		ask({ operation, key }: Extract<Intent, { type: 'ask' }>, ids: readonly string[]) {
			if (operations.picture().isLocked) return confirm('unlock', key);
			const targets = operation === 'create' ? [] : ids;
			tell(operations.ask(operation, targets, { askedWith: key }));
		},
		press(input: QuestionInput) {
			tell(operations.press(input));
		},
		retry(key: string) {
			const failed = operations.picture().batches.findLast(({ counts }) => counts.failed > 0);
			if (failed) tell(operations.retryFailed(failed.id, key));
			else say('nothing has failed');
		},
		confirmed(about: 'unlock' | 'leave') {
			if (about === 'leave') void terminal.end({ kind: 'quit' });
			else operations.unlock();
		},
		/** True when Esc called something off, or put something away that was read. */
		back(screen: Screen, { rows, ids }: ShownRows): boolean {
			const isTable = placeOf(screen, operations.picture(), false) === 'fleet';
			const dropped = isTable ? operations.cancel('all') : cancelCountdowns();
			if (dropped.length > 0) {
				const [first] = dropped;
				const what = dropped.length > 1 ? `${dropped.length} operations` : nameOf(first);
				say(`called off before it was sent: ${what}`);
				return true;
			}
			if (!isTable) return false;
			const over = operations.picture().batches.find(({ isOver }) => isOver);
			const failed = rows[cursorIndex(screen, ids)]?.operation;
			const newcomer = newcomerIn(known());
			if (over) operations.forget(over.id);
			else if (failed?.stage === 'failed') operations.see(failed.wish.key);
			else if (newcomer?.stage === 'failed') operations.see(newcomer.wish.key);
			else return false;
			return true;
		},
	};
}

function nameOf(wish: { operation: string; name?: string; computer?: string } | undefined): string {
	return wish ? `${wish.operation} ${wish.name ?? wish.computer ?? ''}`.trim() : '';
}

function refusalText({ message, skipped }: Extract<Asked, { type: 'refused' }>['refusal']): string {
	const [first] = skipped;
	if (!first) return message;
	const more = skipped.length > 1 ? ` (and ${skipped.length - 1} more)` : '';
	return `${first.name}: ${first.reason}${more}`;
}
