import { timeText } from '../../drawing/time-text.ts';
import type { Subscription } from '../../fleet/account.ts';
import { durationText } from '../../fleet/duration.ts';
import { idleLimitMsOf } from '../../fleet/stop-reason.ts';
import { isoTime } from '../../script/computer-record.ts';
import { withFleet } from '../../script/fleet.ts';
import { labelledLines } from '../../script/plain-sections.ts';
import { type Command, exitCodes, type JsonFields, type JsonRecord } from '../../shell/command.ts';
import { readingOptions } from '../../shell/options.ts';
import { sleepText } from '../../wording/plan-text.ts';

const subscriptionFields = {
	plan: 'plan: free, pro, power, ultra or another; null if billing has not been started',
	planName: 'name of the plan as the platform shows it',
	status: "status in the platform's own words",
	periodEndsAt: 'time when the subscription renews or ends',
	endsWithPeriod: 'whether the subscription ends with the current period',
	sleepsAfter: 'idle seconds after which a computer sleeps; null if unknown or if it never sleeps',
} as const satisfies JsonFields;

export const subscription: Command = {
	name: 'subscription',
	summary: 'show the plan and when it puts idle computers to sleep',
	options: readingOptions,
	examples: ['crowsnest subscription --json'],
	json: { form: 'object', fields: subscriptionFields },
	run: (host, args) =>
		withFleet(host, args, async ({ readOrThrow }) => {
			const current = (await readOrThrow('subscription')).subscription ?? null;
			const text = args.flag('json')
				? `${JSON.stringify(subscriptionRecord(current), undefined, 2)}\n`
				: subscriptionText(current, host.clock.now());
			host.program.stdout.write(text);
			return exitCodes.done;
		}),
};

function subscriptionRecord(current: Subscription | null) {
	const idleLimit = idleLimitMsOf(current?.plan) ?? Number.POSITIVE_INFINITY;
	return {
		plan: current?.plan ?? null,
		planName: current?.planName ?? null,
		status: current?.status ?? null,
		periodEndsAt: isoTime(current?.periodEndsAt),
		endsWithPeriod: current?.endsWithPeriod ?? null,
		sleepsAfter: Number.isFinite(idleLimit) ? idleLimit / 1000 : null,
	} satisfies JsonRecord<typeof subscriptionFields>;
}

function subscriptionText(current: Subscription | null, now: number): string {
	if (!current)
		return labelledLines([['Plan', 'none; start billing with `crowsnest billing setup`']]);
	const { plan, planName, status, periodEndsAt: end, endsWithPeriod } = current;
	const timeLeft = end !== undefined && end > now ? ` (in ${durationText(end - now)})` : '';
	return labelledLines([
		['Plan', planName],
		['Status', status ?? ''],
		['Computers', sleepText(plan)],
		[endsWithPeriod ? 'Ends' : 'Renews', end === undefined ? '' : timeText(end, now) + timeLeft],
	]);
}
