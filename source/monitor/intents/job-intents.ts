import { isUnsent } from '../../fleet/operations/operation.ts';
import { chosenChoiceOf } from '../../screen/choice.ts';
import { createJobsSelector, type Job, type JobOperation } from '../../store/jobs.ts';
import type { HandlerDeps, IntentHandlers } from './intent-handlers.ts';
import { sayCancelled } from './notices.ts';

/** Creates the handlers of the keys that work on the list of jobs. */
export function createJobIntents(deps: HandlerDeps): Pick<IntentHandlers, 'cancelJob'> {
	const { operations, accountsNow, jointNow, say } = deps;
	const jobsOf = createJobsSelector();
	const jobsNow = () => jobsOf(jointNow(), accountsNow());

	return {
		cancelJob(_, screen, { choiceList }) {
			const chosen = chosenChoiceOf(screen, choiceList?.());
			if (!chosen) return say('No job is selected');
			const job = jobsNow().find(({ id }) => id === chosen.id) ?? partWith(jobsNow(), chosen.id);
			if (!job) return;
			const isBatch = 'progress' in job;
			const dropped = operations.cancel(isBatch ? { batch: chosen.id } : { key: chosen.id });
			if (dropped.length > 0) return sayCancelled(say, dropped);
			const isOfOther = !isBatch && isUnsent(job.operation);
			say(isOfOther ? 'Another crowsnest will send this: cancel it there' : alreadySentText);
		},
	};
}

const alreadySentText = 'Already sent: it cannot be cancelled';

function partWith(jobs: readonly Job[], key: string): JobOperation | undefined {
	for (const job of jobs) {
		const parts = job.type === 'batch' ? job.operations : [];
		const part = parts.find(({ operation }) => operation.spec.key === key);
		if (part) return part;
	}
	return undefined;
}
