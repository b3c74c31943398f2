import { cleanForTerminal } from '../terminal/escape-sequences.ts';
import type { Program } from '../terminal/terminal.ts';
import { type Outcome, outcomeText } from './outcome.ts';

export type Report = {
	/** Those of which nothing new is told are passed over. */
	add(outcomes: readonly Outcome[]): void;
	end(): void;
};

/** As lines while it happens; for other programs all at the end, each computer once. */
export function createReport({ stdout, stderr }: Program, isJson: boolean): Report {
	const told = new Map<string, Outcome>();
	return {
		add(outcomes) {
			for (const outcome of outcomes) {
				const who = outcome.id ?? '';
				const isNew = told.get(who)?.result !== outcome.result;
				told.set(who, outcome);
				if (!isNew || isJson) continue;
				const isGood = outcome.result === 'accepted' || outcome.result === 'done';
				(isGood ? stdout : stderr).write(`${cleanForTerminal(outcomeText(outcome))}\n`);
			}
		},
		end() {
			if (isJson) stdout.write(`${JSON.stringify([...told.values()], undefined, 2)}\n`);
		},
	};
}
