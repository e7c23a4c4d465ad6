/** Reports a failed command, visibly and to screen readers. */

import { visibleText } from "../../base/visible-text.ts";
import { TextWithCode } from "../markdown/text-with-code.tsx";
import "./panels.css";

export function ProblemLine({ problem }: { problem: string | undefined }) {
  return problem === undefined ? null : (
    <p class="panel-problem" role="alert">
      <TextWithCode text={visibleText(problem)} />
    </p>
  );
}
