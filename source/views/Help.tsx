import type { Binding } from '../keys/binding.ts';
import { helpSections, helpTitle } from '../wording/help-text.ts';
import { Stack, type StackProps } from './Stack.tsx';

type Props = Omit<StackProps, 'title' | 'sections'> & { bindings: readonly Binding[] };

export function Help({ bindings, ...place }: Props) {
	const asked = { ...place, bindings };
	return <Stack title={helpTitle(asked)} sections={helpSections(asked)} {...place} />;
}
