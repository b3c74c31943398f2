import { globalIdOf } from '../../fleet/computers/global-id.ts';
import { isUnsent, type Operation } from '../../fleet/operations/operation.ts';
import { memoize } from '../../foundation/memoize.ts';
import type { Choice } from '../../screen/choice.ts';
import { createJobsSelector, type Job, type JobOperation } from '../../store/jobs.ts';
import type { OpenedAccount } from '../../store/opened-accounts.ts';
import type { JointAccount } from '../../store/state.ts';
import { skippedLines } from '../phrases/outcome-text.ts';

/** The lines of the view of jobs, and those among them that the cursor can choose. */
type JobLines = { jobs: readonly Job[]; lines: readonly JobLine[]; choices: readonly Choice[] };

export type JobLine =
	| { type: 'job'; job: Job }
	/** An operation of an unfolded batch. */
	| { type: 'part'; part: JobOperation }
	/** A sentence about the unfolded batch. */
	| { type: 'note'; text: string };

/** Creates a function that lists the jobs of this session. It returns the same lists until a job changes. */
export function createJobLines(): (
	joint: Pick<JointAccount, 'batches'>,
	accounts: readonly OpenedAccount[],
	unfoldedIds: ReadonlySet<string>,
) => JobLines {
	const jobsOf = createJobsSelector();
	const linesOf = memoize((jobs: readonly Job[], unfoldedIds: ReadonlySet<string>): JobLines => {
		const lines = jobs.flatMap((job): readonly JobLine[] =>
			job.type === 'batch' && unfoldedIds.has(job.id)
				? [{ type: 'job', job }, ...partsOf(job)]
				: [{ type: 'job', job }],
		);
		const choices = lines.flatMap((line, at) => choiceOf(line, at) ?? []);
		return { jobs, lines, choices };
	});
	return (joint, accounts, unfoldedIds) => linesOf(jobsOf(joint, accounts), unfoldedIds);
}

function partsOf({ progress, operations }: Extract<Job, { type: 'batch' }>): readonly JobLine[] {
	const others = progress.total - operations.length;
	const notes = [
		...(others > 0 ? [`${others} more are waiting or were cancelled`] : []),
		...skippedLines(progress.skipped),
	];
	// Operations are ordered by name, so that their order does not change when one ends.
	const ordered = operations.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
	return [
		...ordered.map((part): JobLine => ({ type: 'part', part })),
		...notes.map((text): JobLine => ({ type: 'note', text })),
	];
}

const nameOf = ({ operation: { spec } }: JobOperation) => spec.name ?? spec.computer ?? '';

function choiceOf(each: JobLine, line: number): Choice | undefined {
	if (each.type === 'note') return undefined;
	if (each.type === 'part') return operationChoice(each.part, line);
	const { job } = each;
	if (job.type === 'operation') return operationChoice(job, line);
	const { isOver, countsByState } = job.progress;
	const removal = !isOver && countsByState.waiting > 0 ? 'cancel' : undefined;
	return { id: job.id, line, opens: { type: 'parts' }, removal };
}

function operationChoice({ account, operation }: JobOperation, line: number): Choice {
	const { key, computer, name } = operation.spec;
	const removal = removalOf(operation);
	if (computer === undefined) return { id: key, line, removal };
	const id = globalIdOf(account, computer);
	return { id: key, line, opens: { type: 'computer', id, name: name ?? computer }, removal };
}

function removalOf(operation: Operation): Choice['removal'] {
	return isUnsent(operation) ? 'cancel' : undefined;
}
