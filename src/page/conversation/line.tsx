/** An event shown as a single line. */

import { visibleText } from "../../view/visible.ts";
import { Icon, type IconName } from "../icon.tsx";
import { TextWithCode } from "../markdown/text-with-code.tsx";

export function Line({ icon, tone, text }: { icon: IconName; tone: "quiet" | "warn" | "bad"; text: string }) {
  return (
    <p class={`line line-${tone}`}>
      <Icon name={icon} />
      <span>
        <TextWithCode text={visibleText(text)} />
      </span>
    </p>
  );
}
