/* What a first game does not need. */
export {analysis} from './analysis.js';
export {fair} from './fair.js';
export {help} from './help.js';
export {lesson} from './lesson.js';
export {print} from './print.js';
export {problems} from './problems.js';
export {replay} from './replay.js';
export {setup} from './setup.js';
export {statistics} from './statistics.js';
