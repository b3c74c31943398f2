import { memo } from 'react';
import { type CountsOptions, countsLine } from '../wording/frame/counts-line.ts';
import { type TitleOptions, titleLine } from '../wording/frame/title-line.ts';
import { ClickableLine } from './ClickableLine.tsx';

//  1 Fleet  2 Billing  3 Models  4 Versions  5 Log   owner@example.com · Pro    credits 38.75    −0.90/h  2 d 2 h left
//  ✖ 1 error  ◐ 2 creating  ↑ 3 behind  ○ 4 stopped  ● 17 active  ● live 2 s      reads ▮▮▮▯▯ 16/30  status ▮▯▯▯▯  9/60

type Props = TitleOptions & CountsOptions & { hasCounts: boolean };

/** The lines above the rule. No key changes them, so they are not composed again after a key. */
export const Header = memo(function Header(props: Props) {
	return (
		<>
			<ClickableLine line={titleLine(props)} />
			{props.hasCounts && <ClickableLine line={countsLine(props)} />}
		</>
	);
});
