import { Box, Text } from 'ink';
import type { Span } from '../../lines/span.ts';
import { footerLines } from '../../views/frame/footer.ts';
import { headerLines } from '../../views/frame/header.ts';
import { alarmRules, ruleBelow, tableEnd, viewRule } from '../../views/frame/rules.ts';
import { currentFilter } from '../../views/look/screen.ts';
import { isTableShown, openText } from '../../views/open-text.ts';
import type { Scene } from '../../views/scene.ts';
import { FleetTable } from './FleetTable.tsx';
import { Region } from './Region.tsx';
import { TextView } from './TextView.tsx';

// The screen from top to bottom: header, rule, body (the table here), rule, messages, keys.
//
//  1 Fleet  2 Billing  3 Models  4 Versions  5 Log  owner@example.com · Pro   credits 38.75   −0.90/h  2 d 2 h left
//  ✖ 1 error  ◐ 2 changing  ○ 4 stopped  ● 17 active   ↑ 3 behind                                     live, 2 s ago
// ─ trouble first ──────────────────────────────────────────────────────────────────────── /-test  996 of 1,000 ─
//    NAME           STATUS        STAGE                               CPU  30 MIN     MEM  VERSION   UPTIME  PORTS
//  ❯ draco          ✖ Error       image pull failed: disk quota exceeded                  1.4.2
// ──────────────────────────────────────────────────────────────────────────────────────────────── 1–24 of 996 ──
//  Stopping atlas in 4 s, Esc to cancel
//  Enter open  / filter  Space mark  o order │ x stop  r restart │ : anything  Tab views  ? help  q quit

type Props = { scene: Scene };

export function FleetScreen({ scene }: Props) {
	const { screen, layout, theme } = scene;
	const alarms = alarmRules(scene);
	const above = alarms.length > 0 ? alarms : [viewRule(scene)];
	// A screen without a rule above the table shows an alarm or the filter in place of the column titles, so that a filtered
	// table never looks complete.
	const isNeeded = alarms.length > 0 || currentFilter(screen) !== '';
	const banner = isNeeded && !layout.hasRuleAbove ? above[0] : undefined;
	return (
		<>
			<Region lines={headerLines(scene)} theme={theme} />
			{layout.hasRuleAbove && <Region lines={above} theme={theme} />}
			<Body scene={scene} banner={banner} />
			{layout.hasRuleBelow && <Region lines={[ruleBelow(scene)]} theme={theme} />}
			<Region lines={footerLines(scene)} theme={theme} />
		</>
	);
}

function Body({ scene, banner }: Props & { banner: readonly Span[] | undefined }) {
	const text = openText(scene);
	const view = text && <TextView scene={scene} text={text} />;
	if (!isTableShown(scene)) return view;
	return (
		<Box height={scene.height}>
			<FleetTable scene={scene} width={tableEnd(scene)} banner={banner} />
			{view && <Text> </Text>}
			{view}
		</Box>
	);
}
