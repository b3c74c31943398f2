import { type VersionsOptions, versionsSections, versionsTitle } from '../wording/versions-text.ts';
import { Stack, type StackProps } from './Stack.tsx';

//  Versions                                                          read 12m ago
//  Latest  1.4.2  stable  released 2026-11-14 09:00 (7d ago)
//  Faster starts
//  · fixed: a full disk no longer stops the image from loading
//
//  3 of 24 are behind, of 4 it is not known
//  VERSION   COMPUTERS
//  1.4.2            17   ━━━━━━━━━━━━━━━━━━━━━╸─────────
//  1.3.9 ↑           3   ━━━╸───────────────────────────
//  unknown           4   ━━━━━──────────────────────────

type Props = VersionsOptions & Pick<StackProps, 'first' | 'lines' | 'isLowBandwidth'>;

export function VersionsView({ first, lines, isLowBandwidth, ...asked }: Props) {
	return (
		<Stack
			title={versionsTitle(asked)}
			sections={versionsSections(asked)}
			first={first}
			width={asked.width}
			lines={lines}
			isLowBandwidth={isLowBandwidth}
			theme={asked.theme}
		/>
	);
}
