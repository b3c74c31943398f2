import { exitCodes } from '../../foundation/error.ts';
import { confirmRequest, sendAfterRateLimits } from '../../script/billing-request.ts';
import type { JsonFields, JsonRecord } from '../../script/command.ts';
import { withFleet } from '../../script/fleet.ts';
import { printRecord } from '../../script/print.ts';
import { billingStartedText } from '../../views/phrases/billing-request.ts';
import type { Command } from '../command.ts';
import { changingOptions } from '../options.ts';

const billingFields = {
	result: 'done',
	message: "the platform's own message; may be empty",
} as const satisfies JsonFields;

export const billingSetup: Command = {
	name: 'billing setup',
	isRare: true,
	summary: 'start billing for this account, as for a new user',
	options: changingOptions,
	examples: ['crowsnest billing setup', 'crowsnest billing setup --yes --json'],
	json: { form: 'object', fields: billingFields },
	run: (host, args) =>
		withFleet(host, args, async fleet => {
			await confirmRequest(host, args, fleet, 'billing');
			const { message = '' } = await sendAfterRateLimits(host, fleet, 'billing', request =>
				fleet.session.platform.initializeBilling(request),
			);
			const record = { result: 'done', message } satisfies JsonRecord<typeof billingFields>;
			printRecord(host, args, record, message || billingStartedText);
			return exitCodes.done;
		}),
};
