import "./classes.js";

export {
    Archive,
    Data,
    Database,
    Directory,
    Level,
    Model,
    Part,
    Picture,
    Plane,
    Roi,
    Table,
    Texture,
    World,
    default,
    initSync,
    open,
    sniff,
} from "./worldview.js";
export { WorldviewError } from "./error.js";
