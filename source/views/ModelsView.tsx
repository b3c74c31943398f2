import { type ModelsOptions, modelsSections, modelsTitle } from '../wording/models-text.ts';
import { Stack, type StackProps } from './Stack.tsx';

//  Models  12  prices per million tokens                          read 4m ago
//  MODEL▲               OWNER        CONTEXT      INPUT     OUTPUT
//  harbor-large         crowsnest       200k       3.00      15.00
//  harbor-small         crowsnest       128k       0.25       1.25

type Props = ModelsOptions & Pick<StackProps, 'first' | 'lines' | 'isLowBandwidth'>;

export function ModelsView({ first, lines, isLowBandwidth, ...asked }: Props) {
	return (
		<Stack
			title={modelsTitle(asked)}
			sections={modelsSections(asked)}
			first={first}
			width={asked.width}
			lines={lines}
			isLowBandwidth={isLowBandwidth}
			theme={asked.theme}
		/>
	);
}
