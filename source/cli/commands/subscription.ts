import { spanText, timeText } from '../../drawing/time-text.ts';
import type { Subscription } from '../../fleet/account.ts';
import { idleLimitOf } from '../../fleet/stop-reason.ts';
import { isoTime } from '../../script/computer-record.ts';
import { withFleet } from '../../script/fleet.ts';
import { plainFacts } from '../../script/plain-sections.ts';
import { exitCodes, type Run } from '../../shell/command.ts';
import type { RecordOf, subscriptionFields } from '../../shell/json-fields.ts';
import { sleepText } from '../../wording/plan-text.ts';

/** The plan, and what it does with a computer that nobody uses. */
export const subscription: Run = (host, args) =>
	withFleet(host, args, async ({ require: need }) => {
		const told = (await need('subscription')).subscription ?? null;
		const text = args.flag('json')
			? `${JSON.stringify(subscriptionRecord(told), undefined, 2)}\n`
			: subscriptionText(told, host.clock.now());
		host.program.stdout.write(text);
		return exitCodes.done;
	});

function subscriptionRecord(told: Subscription | null) {
	const idleLimit = idleLimitOf(told?.plan) ?? Number.POSITIVE_INFINITY;
	return {
		plan: told?.plan ?? null,
		planName: told?.planName ?? null,
		status: told?.status ?? null,
		periodEndsAt: isoTime(told?.periodEndsAt),
		endsWithPeriod: told?.endsWithPeriod ?? null,
		sleepsAfter: Number.isFinite(idleLimit) ? idleLimit / 1000 : null,
	} satisfies RecordOf<typeof subscriptionFields>;
}

function subscriptionText(told: Subscription | null, now: number): string {
	if (!told) return plainFacts([['Plan', 'none: `crowsnest billing setup` starts billing']]);
	const { plan, planName, status, periodEndsAt: end, endsWithPeriod } = told;
	const left = end !== undefined && end > now ? ` (in ${spanText(end - now)})` : '';
	return plainFacts([
		['Plan', planName],
		['Status', status ?? ''],
		['Computers', sleepText(plan)],
		[endsWithPeriod ? 'Ends' : 'Renews', end === undefined ? '' : timeText(end, now) + left],
	]);
}
