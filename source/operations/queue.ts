import type { Queue, Run } from './run.ts';

const rankOf = ({ hasWaited, spec }: Run) => (hasWaited ? 0 : spec.batch === undefined ? 1 : 2);

export function createQueue(maxTurns: number, isInTurn: (run: Run) => boolean): Queue {
	let waiting: readonly { run: Run; begin: () => void }[] = [];
	let turns = 0;

	function endTurn() {
		turns -= 1;
		advance();
	}

	function advance() {
		waiting = waiting.filter(({ run }) => !run.isOver);
		while (turns < maxTurns) {
			const next = waiting.find(({ run }) => isInTurn(run));
			if (!next) return;
			waiting = waiting.filter(each => each !== next);
			turns += 1;
			next.run.hasWaited = true;
			next.begin();
		}
	}

	return {
		turn: run =>
			new Promise(resolve => {
				waiting = [...waiting, { run, begin: () => resolve(endTurn) }].sort(
					(a, b) => rankOf(a.run) - rankOf(b.run),
				);
				advance();
			}),
		advance,
		waiting: () => waiting.map(({ run }) => run),
	};
}
