import { testScenes } from './check-scenes.ts';
import { sceneGroups } from './scenes.ts';

testScenes(sceneGroups.views);
