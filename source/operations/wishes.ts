import type { Wish } from '../fleet/fact.ts';
import { detailsOf, type Question } from './question.ts';

/** What an answered question wants, computer by computer. It comes from the question alone. */
export function wishesFrom(question: Question, mint: () => string): readonly Wish[] {
	const { operation, targets, given } = question;
	const { port, name } = detailsOf(question);
	if (operation === 'create') return [{ key: mint(), operation, ...(name && { name }) }];
	const shared = {
		operation,
		...(port !== undefined && { port }),
		...(given.version !== undefined && { version: given.version }),
		...(targets.length > 1 && { batch: mint() }),
	};
	return targets.map(target => ({
		key: mint(),
		...shared,
		computer: target.id,
		...(target.name !== target.id && { name: target.name }),
	}));
}
