import { type DetailOptions, detailSections, detailTitle } from '../wording/detail-text.ts';
import { Stack, type StackProps } from './Stack.tsx';

//  atlas  sb_atlas01                                                      ● Active   6d 4h
//  Address   10.0.0.2                         Version   1.4.2 (latest)
//  Status    active since 2026-11-15 04:12    Seen      4s ago, by the list
//  Created   2026-11-14 07:31 (7d ago)        Plan      Pro, sleeps after 30 min idle
//  CPU       ━━━╸───────────── 12%   Memory    ━━━━━━━━━╸─────── 41%   Storage   ━━━╸──── 18%
//  Last 24 h ██████████████░░░░░░░░░█████████████████████████████████████████████████████
//            █ active 90%  ░ stopped 10%
//  PORT   PUBLIC ADDRESS                          LAST CHECK
//  8080   https://…/v1/p/sb_atlas01/8080          answers, 4s ago
//  08:14  ● atlas: starting → active in 8s

type Props = DetailOptions & Pick<StackProps, 'firstLine' | 'lines' | 'isLowBandwidth'>;

export function DetailView({ firstLine, lines, isLowBandwidth, ...options }: Props) {
	return (
		<Stack
			title={detailTitle(options)}
			sections={detailSections(options)}
			firstLine={firstLine}
			width={options.width}
			lines={lines}
			isLowBandwidth={isLowBandwidth}
			theme={options.context.theme}
		/>
	);
}
