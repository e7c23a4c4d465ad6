/** Numbers of added and removed lines: "+2 −1". */

export function LineBadge({ added, removed }: { added: number; removed: number }) {
  return (
    <span class="line-badge">
      <span class="badge-added">
        +{added}
        <span class="visually-hidden"> added</span>
      </span>{" "}
      <span class="badge-removed">
        −{removed}
        <span class="visually-hidden"> removed</span>
      </span>
    </span>
  );
}
