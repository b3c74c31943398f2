import type { Subscription } from '../../fleet/computers/account.ts';
import { autoSleepText, idleLimitMsOf } from '../../fleet/computers/stop-reason.ts';
import type { JsonFields, JsonRecord } from '../../script/command.ts';
import { isoTime } from '../../script/iso-time.ts';
import { labelledLines, plainValues } from '../../script/plain-sections.ts';
import { printAccounts } from '../../script/print-accounts.ts';
import type { Host } from '../../session/host.ts';
import { subscriptionValues } from '../../views/billing.ts';
import type { Command } from '../command.ts';
import { severalReadingOptions } from '../options.ts';

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
	isRare: true,
	summary: 'show the plan and when it puts idle computers to sleep',
	options: severalReadingOptions,
	examples: ['crowsnest subscription --json'],
	json: { form: 'object', fields: subscriptionFields, formForSeveral: 'array' },
	run: (host, args) =>
		printAccounts(host, args, {
			read: async ({ readOrThrow }) => (await readOrThrow('subscription')).subscription ?? null,
			recordOf: subscriptionRecord,
			textOf: current => subscriptionText(host, current),
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

function subscriptionText(host: Host, current: Subscription | null): string {
	const values = subscriptionValues(current, host.clock.now());
	return labelledLines([
		...plainValues(values),
		current
			? (['Auto-sleep', autoSleepText(current.plan)] as const)
			: (['Next step', '`crowsnest billing setup` starts billing'] as const),
	]);
}
