import { type BillingOptions, billingSections, billingTitle } from '../wording/billing-text.ts';
import { Stack, type StackProps } from './Stack.tsx';

//  Billing                                                              read 12s ago
//  Credits   41.50                       Lasts     2d 2h, until 2026-11-23 10:14 at this pace
//  Burn      0.82 an hour, 19.68 a day   Plan      Pro, active
//
//   80.12 │ ───────╮
//         │        ╰────╮
//   41.50 │             ╰─────
//         2026-11-14 07:31                                  now
//
//  PLAN    A COMPUTER
//  Free    sleeps after 15 min idle
//  Pro     sleeps after 30 min idle   ▪ yours

type Props = BillingOptions & Pick<StackProps, 'first' | 'isLowBandwidth'>;

export function BillingView({ first, isLowBandwidth, ...asked }: Props) {
	return (
		<Stack
			title={billingTitle(asked)}
			sections={billingSections(asked)}
			first={first}
			width={asked.width}
			lines={asked.lines}
			isLowBandwidth={isLowBandwidth}
			theme={asked.theme}
		/>
	);
}
